"""The kit that these tests begin with."""

from tests.features.threads.test_threads import meridian

__all__ = ["meridian"]
