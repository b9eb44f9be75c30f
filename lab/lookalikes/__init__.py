# SPDX-License-Identifier: Apache-2.0
"""Hosts that look sick and are not: one file per kind of number that misleads."""
