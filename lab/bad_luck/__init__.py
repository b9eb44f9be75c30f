# SPDX-License-Identifier: Apache-2.0
"""Hosts on which it is hard to look: the report must come all the same."""
