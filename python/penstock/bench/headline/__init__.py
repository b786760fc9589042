"""The jobs of the suite `spark`: done by a flow, and in every way there is without one."""
