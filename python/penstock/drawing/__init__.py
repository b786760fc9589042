"""Pictures of flows: a plan of boxes, a layout that is pure arithmetic, and a writer of SVG.

Each step knows nothing of the one behind it, and none needs the engine, Spark or a network.
"""
