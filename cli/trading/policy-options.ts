import { type Command, Option } from 'commander'
import { RATE_TIER_NAMES } from '../../protocol/limits.ts'
import { REDUCE_ONLY_CROSSINGS, SELF_TRADE_MODES } from '../../vocabulary/order.ts'

/** Adds the options of an account policy; `none` removes a limit. */
export function withPolicyOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--self-trade <mode>', 'handling of orders that would match their own account').choices(
        SELF_TRADE_MODES,
      ),
    )
    .addOption(
      new Option(
        '--reduce-only <rule>',
        'reduce-only orders that would cross zero are cut off (cap) or rejected (reject)',
      ).choices(REDUCE_ONLY_CROSSINGS),
    )
    .option('--position-limit <quantity>', 'most contracts per outcome, long or short; none removes the limit')
    .option('--price-band <distance>', 'largest distance of a limit price from the mark; none removes the band')
    .option('--open-orders <count>', 'most open orders of the account; tier: those of its tier')
    .option('--open-orders-per-market <count>', 'most open orders in one market; tier: those of its tier')
    .addOption(
      new Option('--limit-tier <tier>', 'rate limits of its keys (GET /v1/capabilities)').choices(RATE_TIER_NAMES),
    )
}
