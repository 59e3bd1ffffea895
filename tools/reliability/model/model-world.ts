import type { Agent } from 'node:http'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import { signerAddress } from '../../../client/signing/typed-signer.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { SCOPES } from '../../../protocol/signing/scopes.ts'
import { issueApiKey, newKeyId } from '../../../service/trading/issue-api-key.ts'
import {
  type AccountName,
  ENVIRONMENT,
  PRIVATE_KEYS,
  SEALING,
  type ServedAccounts,
  signerOf,
} from '../../../test/support/trading/served-accounts.ts'
import { POLICY } from '../../../test/support/trading/submissions.ts'
import { MODEL_ACCOUNTS, type ModelCommand, type RunRules, type Terms } from './commands.ts'

/** The API that a run talks to. Runs at once share it, and nothing else. */
export type ModelService = {
  readonly served: ServedAccounts
  readonly agent: Agent
  readonly base_url: string
}

/** Somebody of a run: an account of its own, and the key that signs its orders. */
export type Trader = {
  readonly account_id: string
  /** Account whose key signs its orders. */
  readonly signer: AccountName
  readonly key: RequestKey
}

/** One market with accounts that nobody else uses. */
export type ModelWorld = {
  readonly market_id: string
  readonly traders: readonly Trader[]
}

const SIGNERS = Object.keys(PRIVATE_KEYS) as AccountName[]

/** The outcome of a run's market. */
export function outcomeOf({ market_id }: ModelWorld, outcome: Terms['outcome']): string {
  return `${market_id.replace('mkt_', 'out_')}_${outcome}`
}

/** Returns the trader of a command. */
export function traderOf({ traders }: ModelWorld, { account }: Extract<ModelCommand, { account: number }>): Trader {
  return traders[account]!
}

/** Opens a market and its accounts, each with money and a key. `name` was never used before. */
export async function openModelWorld({ served }: ModelService, name: string, rules: RunRules): Promise<ModelWorld> {
  const market_id = `mkt_${name}`
  const { taker_rate, maker_rate, shorting } = rules
  const outcome_ids = (['yes', 'no'] as const).map((outcome) => outcomeOf({ market_id, traders: [] }, outcome))
  await served.act({
    kind: 'add_market',
    market_id,
    outcome_ids,
    terms: {
      price_min: '0.01',
      price_max: '0.99',
      price_increment: '0.01',
      quantity_increment: '0.01',
      minimum_quantity: '0.01',
      settlement_asset_id: 'asset_usd',
      shorting_permitted: shorting,
    },
    fees: { schedule_id: `fee_${name}`, schedule_version: 1, taker_rate, maker_rate },
  })
  const names = Array.from({ length: MODEL_ACCOUNTS }, (_, place) => `acct_${name}_${place}`)
  const [, ...traders] = await Promise.all([
    served.act({ kind: 'move_market', market_id, to: 'open' }),
    ...names.map((account_id, place) => openTrader(served, account_id, SIGNERS[place]!, rules)),
  ])
  return { market_id, traders }
}

async function openTrader(
  served: ServedAccounts,
  account_id: string,
  signer: AccountName,
  { crossing, limit, open_orders, deposit }: RunRules,
): Promise<Trader> {
  const owner_address = signerAddress(signerOf(signer)).toLowerCase()
  const policy = { ...POLICY, reduce_only_crossing: crossing, position_limit: limit, max_open_orders: open_orders }
  await served.act({ kind: 'add_account', account_id, policy, owner_address, label: account_id })
  const { command, secret } = await issueApiKey(
    {
      account_id,
      owner_address,
      signer: owner_address,
      key_id: newKeyId(),
      environment: ENVIRONMENT,
      label: 'model',
      scopes: SCOPES,
      ip_allowlist: [],
      public_key: null,
      expires_at: null,
      now: wallClock(),
    },
    SEALING,
  )
  const transfer_id = `xfer_open_${account_id}`
  await Promise.all([
    served.act(command),
    served.act({ kind: 'deposit', transfer_id, account_id, asset_id: 'asset_usd', amount: deposit }),
  ])
  const key = { key_id: command.key.key_id, environment: ENVIRONMENT, algorithm: 'hmac-sha256', secret: secret! }
  return { account_id, signer, key: key as RequestKey }
}
