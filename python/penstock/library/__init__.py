"""The operators that come with Penstock, one file each; methods of a flow lead to them."""
