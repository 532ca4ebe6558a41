"""What the standard library asks of macOS alone: which proxies are set. None are."""


def _get_proxy_settings():
    return {}


def _get_proxies():
    return {}
