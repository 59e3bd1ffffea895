import { type Command, Option } from 'commander'
import { RATE_TIER_NAMES } from '../../protocol/limits.ts'
import { REDUCE_ONLY_CROSSINGS, SELF_TRADE_MODES } from '../../vocabulary/order.ts'

/** Options that say what an account may do; `none` takes a limit away. */
export function withPolicyOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--self-trade <mode>', 'what happens to orders that would meet their own account').choices(
        SELF_TRADE_MODES,
      ),
    )
    .addOption(
      new Option('--reduce-only <rule>', 'what crosses zero is cut off (cap) or the order refused').choices(
        REDUCE_ONLY_CROSSINGS,
      ),
    )
    .option('--position-limit <quantity>', 'most contracts of one outcome, long or short; none: no limit')
    .option('--price-band <distance>', 'farthest that a limit price may be from the mark; none: no band')
    .addOption(
      new Option('--limit-tier <tier>', 'how many requests its keys may make (GET /v1/capabilities)').choices(
        RATE_TIER_NAMES,
      ),
    )
}
