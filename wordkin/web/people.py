"""Anonymous ids of people whose choices are stored.

A person gets one id per study, and one for games. It is made from the random id in the browser's
cookie and a secret of the site, so it need not be stored, and nobody can tell which ids belong to
one browser. Only a digest of it is stored and exported: who has the id can delete, who sees the
data cannot.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from wordkin.web.visitors import Visitor

GROUPS, LETTERS = 4, 5
"""The shape of an id: four groups of five letters and digits, which are 100 bits."""


class People:
    """Gives ids to visitors.

    Parameters
    ----------
    key : str
        A secret of this site.
    """

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def id_of(self, visitor: Visitor, source: str) -> str:
        """The id of a visitor in a study (by its code) or in games.

        Returns
        -------
        str
            Such as `k3vqa-77dmx-2hwpt-ozc4e`.
        """
        message = f"{source}\n{visitor.id}".encode()
        code = base64.b32encode(hmac.digest(self._key, message, "sha256")).decode().lower()
        return "-".join(code[at * LETTERS : (at + 1) * LETTERS] for at in range(GROUPS))


def digest(person_id: str) -> str:
    """The digest under which the data of an id is stored; case, spaces and hyphens do not count."""
    form = "".join(filter(str.isalnum, person_id.lower()))
    return hashlib.sha256(form.encode()).hexdigest()[:24]
