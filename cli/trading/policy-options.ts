import { type Command, Option } from 'commander'
import { RATE_TIER_NAMES } from '../../protocol/limits.ts'

/** Options that say what an account may do; `none` takes a limit away. */
export function withPolicyOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--self-trade <mode>', 'what happens to orders that would meet their own account').choices([
        'cancel_taker',
        'cancel_maker',
        'cancel_both',
      ]),
    )
    .addOption(
      new Option('--reduce-only <rule>', 'what crosses zero is cut off (cap) or the order refused').choices([
        'cap',
        'reject',
      ]),
    )
    .option('--position-limit <quantity>', 'most contracts of one outcome, long or short; none: no limit')
    .option('--price-band <distance>', 'farthest that a limit price may be from the mark; none: no band')
    .addOption(
      new Option('--limit-tier <tier>', 'how many requests its keys may make (GET /v1/capabilities)').choices(
        RATE_TIER_NAMES,
      ),
    )
}
