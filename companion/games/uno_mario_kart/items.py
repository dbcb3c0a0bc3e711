"""§9 What the item of a flipped card does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from companion.games.uno_mario_kart.calls import Calls
from companion.games.uno_mario_kart.content import STOCK, Action, Item
from companion.games.uno_mario_kart.happenings import ItemUsed, NothingFlipped, OpponentChosen
from companion.rules.prompts import Prompt


class Items(Calls):
    """§8.4, 9."""

    # -- §8.4 ----------------------------------------------------------------------------------

    async def item_box(self, seat: str) -> None:
        """§8.4 The top card of the stock is flipped onto the pile and its item works."""
        again = await self.flip(seat)
        if not self.size(seat):  # ruling U4 as `flip_first`
            self.go_out(seat)
        if self.size(seat) == 1 and self.ruling("U23") == "after_item":
            self.must_call(seat)
        self.give_turn(seat if again else self.next_seat(seat))

    async def flip(self, seat: str) -> bool:
        """§8.4, 9 Flip a card and use its item; whether the same player has the next turn."""
        if not self.stock_for_flip(seat):
            return False
        card = await self.ask(self.offer_flip, seat)
        kind = self.content.kinds[card]
        turned = self.turn_up(card, "8.4", discarded=True)
        self.state.colour = kind.colour or self.state.colour
        if kind.action is Action.ITEM_BOX and self.ruling("U5") == "recursive":
            return await self.flip(seat)
        with self.because(turned):
            used = ItemUsed(rule=ITEM_RULES[kind.item], seat=seat, card=card, item=kind.item)
            with self.because(self.record(used)):
                return await self.ITEMS[kind.item](self, seat)

    def stock_for_flip(self, seat: str) -> bool:
        """Ruling U17: whether there is a card to flip; the pile but for the Item Box is one."""
        if self.refill(STOCK):
            return True
        if self.ruling("U17") == "round_ends":
            self.stop_round()
        self.record(NothingFlipped(rule="8.4", ruling="U17", seat=seat))
        return False

    def offer_flip(self, seat: str) -> Prompt[str]:
        """§8.4 The card that the Item Box flips."""
        return self._card_off_the_stock("flip", seat, "8.4")

    # -- §9 ------------------------------------------------------------------------------------
    # Each gives whether the same player has the next turn.

    async def mushroom(self, seat: str) -> bool:
        """§9.1 The next turn is the same player's, by all the rules of a turn (ruling U18)."""
        return True

    async def banana(self, seat: str) -> bool:
        """§9.2 Whoever sits before the player draws two (ruling U3)."""
        self.take(self.in_front(seat), 2, "9.2", "U3")
        return False

    def in_front(self, seat: str) -> str:
        """Ruling U3: who is meant by the player in front."""
        match self.ruling("U3"):
            case "next_player":
                return self.next_seat(seat)
            case "last_turn" if self.state.previous in self.others(seat):
                return self.state.previous
            case _:
                return self.next_seat(seat, -1)

    async def shell(self, seat: str) -> bool:
        """§9.3 One opponent of the player's choice draws one."""
        others = self.others(seat)
        other = others[0] if len(others) == 1 else await self.ask(self.offer_opponents, seat)
        with self.because(self.record(OpponentChosen(rule="9.3", seat=seat, other=other))):
            self.take(other, 1, "9.3")
        return False

    def offer_opponents(self, seat: str) -> Prompt[str]:
        """§9.3 Any opponent."""
        return Prompt("opponent", seat, "9.3", self.others(seat))

    async def lightning(self, seat: str) -> bool:
        """§9.4 Everybody draws one (ruling U2), and the same player has the next turn."""
        for other in self.others(seat):
            self.take(other, 1, "9.4", "U2")
        if self.ruling("U2") == "everyone":
            self.take(seat, 1, "9.4", "U2")
        return True

    async def bob_omb(self, seat: str) -> bool:
        """§9.5 The player draws two and names the colour to be followed."""
        self.take(seat, 2, "9.5")
        await self.name_colour(seat, "9.5")
        return False

    ITEMS: ClassVar[dict[Item, Callable[[Items, str], Awaitable[bool]]]] = {
        Item.MUSHROOM: mushroom,
        Item.BANANA: banana,
        Item.SHELL: shell,
        Item.LIGHTNING: lightning,
        Item.BOB_OMB: bob_omb,
    }


ITEM_RULES = {
    Item.MUSHROOM: "9.1",
    Item.BANANA: "9.2",
    Item.SHELL: "9.3",
    Item.LIGHTNING: "9.4",
    Item.BOB_OMB: "9.5",
}
