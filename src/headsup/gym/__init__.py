"""A Gymnasium environment of the main game, for learning agents (the extra `headsup[gym]`).

    import gymnasium, headsup.gym
    env = gymnasium.make("headsup/HeadsUpHoldem-v0", rules="galaxy")

Importing this module registers the environment. `docs/gym.md` describes observations and actions.
"""

try:
    import gymnasium
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "headsup.gym needs gymnasium, which is not installed: pip install 'headsup[gym]'",
        name=missing.name,
    ) from None

ENV_ID = "headsup/HeadsUpHoldem-v0"

if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        id=ENV_ID,
        entry_point="headsup.gym.env:HeadsUpHoldemEnv",
        vector_entry_point="headsup.gym.vector:HeadsUpHoldemVectorEnv",
    )
