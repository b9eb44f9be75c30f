# SPDX-License-Identifier: Apache-2.0
"""The two ways in which a scenario can fail to reach the point where `diagnose` is asked."""


class Skipped(Exception):
    """This host cannot show the fault: no root, a kernel without the feature, too little memory or disk."""


class NotEstablished(Exception):
    """The fault was set up, but the kernel's counters never showed it: a bug of the lab, not of the diagnosis."""
