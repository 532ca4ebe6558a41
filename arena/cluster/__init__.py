"""The cluster: other machines that play blocks, reached through Dask. The extra `dask`."""

__all__ = ["figures", "plugin", "worker"]
"""The modules that other packages import."""
