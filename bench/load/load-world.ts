import { newSignerKey } from '../../client/signing/new-signer-key.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { SCOPES } from '../../protocol/signing/scopes.ts'
import { sandboxMarketFiles } from '../../service/sandbox/sandbox-markets.ts'
import { DEFAULT_ACCOUNT_POLICY } from '../../service/trading/account-policy.ts'
import { addMarketCommand } from '../../service/trading/add-market-command.ts'
import { issueApiKey } from '../../service/trading/issue-api-key.ts'
import { type MarketToList, readMarketFile } from '../../service/trading/market-file.ts'
import { performOperatorAct } from '../../service/trading/operator-act.ts'
import type { KeyEncryptionKey } from '../../trading/auth/seal-secret.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'

/** An account that sends orders. */
export type LoadAccount = {
  readonly account_id: string
  readonly key_id: string
  readonly secret: string
  readonly signer: string
  readonly private_key: string
}
export type LoadMarket = { readonly market_id: string; readonly outcome_ids: readonly string[] }
export type LoadWorld = { readonly accounts: readonly LoadAccount[]; readonly markets: readonly LoadMarket[] }

export const LOAD_ENVIRONMENT = 'sandbox'
const ACTOR = { actor: 'load', reason: 'load' }
const MADE_AT_ONCE = 100

/** Makes funded accounts with keys and open markets in an empty database: the sandbox's markets, and copies of them. */
export async function makeLoadWorld(
  client: EngineClient,
  sealing: KeyEncryptionKey,
  accounts_count: number,
  markets_count = sandboxMarketFiles().length,
): Promise<LoadWorld> {
  await performOperatorAct(client, ACTOR, { kind: 'add_asset', asset_id: 'asset_usd', scale: 6 })
  const files = await Promise.all(sandboxMarketFiles().map(readMarketFile))
  const markets = Array.from({ length: markets_count }, (_, place) =>
    copyOf(files[place % files.length]!, Math.floor(place / files.length)),
  )
  for (const [place, market] of markets.entries()) {
    const schedules =
      place === 0 ? [] : [{ ...market.fees, maker_rate: '0', schedule_version: 1, effective_from: '', market_ids: [] }]
    await performOperatorAct(client, ACTOR, addMarketCommand(market, schedules))
    await performOperatorAct(client, ACTOR, { kind: 'move_market', market_id: market.market_id, to: 'open' })
  }
  const accounts: LoadAccount[] = []
  while (accounts.length < accounts_count) {
    const length = Math.min(MADE_AT_ONCE, accounts_count - accounts.length)
    const from = accounts.length
    accounts.push(
      ...(await Promise.all(Array.from({ length }, (_, place) => makeAccount(client, sealing, from + place)))),
    )
  }
  return {
    accounts,
    markets: markets.map(({ market_id, outcomes }) => ({
      market_id,
      outcome_ids: outcomes.map(({ outcome_id }) => outcome_id),
    })),
  }
}

/** Returns the market under ids of its own; copy 0 is the market itself. */
function copyOf(market: MarketToList, copy: number): MarketToList {
  if (copy === 0) return market
  const { market_id, outcomes, ...rest } = market
  const copied = outcomes.map(({ outcome_id, label }) => ({ outcome_id: `${outcome_id}_${copy}`, label }))
  return { ...rest, market_id: `${market_id}_${copy}`, outcomes: copied }
}

/** Far more than an account can spend; the sum over some thousand accounts stays below 2^53 of the asset's smallest unit. */
const DEPOSIT = '1000000.000000'

async function makeAccount(client: EngineClient, sealing: KeyEncryptionKey, place: number): Promise<LoadAccount> {
  const { private_key, address } = newSignerKey()
  const account_id = `acct_load_${place}`
  const key_id = `key_load${String(place).padStart(12, '0')}`
  const label = account_id
  const asset_id = 'asset_usd'
  await performOperatorAct(client, ACTOR, {
    kind: 'add_account',
    account_id,
    owner_address: address,
    label,
    policy: DEFAULT_ACCOUNT_POLICY,
  })
  const transfer_id = `xfer_load_${place}`
  await performOperatorAct(client, ACTOR, { kind: 'deposit', transfer_id, account_id, asset_id, amount: DEPOSIT })
  const { command, secret } = await issueApiKey(
    {
      account_id,
      owner_address: address,
      signer: address,
      key_id,
      environment: LOAD_ENVIRONMENT,
      label,
      scopes: SCOPES,
      ip_allowlist: [],
      public_key: null,
      expires_at: null,
      now: wallClock(),
    },
    sealing,
  )
  await performOperatorAct(client, ACTOR, command)
  return { account_id, key_id, secret: secret!, signer: address, private_key }
}
