import { wallClock } from '../../primitives/wall-clock.ts'
import { SCOPES } from '../../protocol/signing/scopes.ts'
import type { KeyEncryptionKey } from '../../trading/auth/seal-secret.ts'
import type { OperatorReads } from '../../trading/store/operator/operator-reads.ts'
import { DEFAULT_ACCOUNT_POLICY } from '../trading/account-policy.ts'
import { addMarketCommand } from '../trading/add-market-command.ts'
import { issueApiKey } from '../trading/issue-api-key.ts'
import { type MarketToList, readMarketFile } from '../trading/market-file.ts'
import type { Actor, ActPorts } from '../trading/operator-act.ts'
import { performSignedAct } from '../trading/operator-act.ts'
import { readSandbox, writeSandbox } from './sandbox-file.ts'
import { sandboxMarketFiles } from './sandbox-markets.ts'
import { ensureSandboxOperators, SANDBOX_OPERATOR } from './sandbox-operators.ts'
import { extendPlan, type PlannedAccount, SANDBOX_ASSET, type SandboxPlan } from './sandbox-plan.ts'

export type SandboxPorts = ActPorts & { readonly reads: OperatorReads; readonly sealing: KeyEncryptionKey }

export type OpenedSandbox = { readonly plan: SandboxPlan; readonly markets: readonly MarketToList[] }

const ACTOR: Actor = { actor: SANDBOX_OPERATOR, reason: 'sandbox of this service' }

/**
 * Opens a sandbox: funded accounts with keys, and open markets. Parts from an earlier start are kept, missing ones created, also after an
 * interrupted start.
 * @param count accounts for users
 */
export async function openSandbox(ports: SandboxPorts, count: number): Promise<OpenedSandbox> {
  const before = await readSandbox(ports.home)
  const plan = extendPlan(before, count)
  if (plan !== before) await writeSandbox(ports.home, plan)
  await openAccounts(ports, [...plan.accounts, ...plan.makers, plan.taker])
  const markets = await Promise.all(sandboxMarketFiles().map(readMarketFile))
  await ensureMarkets(ports, markets)
  return { plan, markets }
}

/** Opens funded accounts with keys; those that are open already are kept. */
export async function openAccounts(ports: SandboxPorts, accounts: readonly PlannedAccount[]): Promise<void> {
  await ensureSandboxOperators(ports)
  await ensureAsset(ports)
  const known = new Map((await ports.reads.listAccounts()).map((account) => [account.account_id, account]))
  for (const account of accounts) {
    const balances = known.get(account.account_id)?.balances ?? null
    await ensureAccount(ports, account, balances === null ? 'none' : balances.length === 0 ? 'empty' : 'funded')
  }
}

async function ensureAsset(ports: SandboxPorts): Promise<void> {
  const assets = await ports.reads.listAssets()
  if (assets.some(({ asset_id }) => asset_id === SANDBOX_ASSET.asset_id)) return
  await performSignedAct(ports, ACTOR, { kind: 'add_asset', ...SANDBOX_ASSET })
}

async function ensureAccount(
  ports: SandboxPorts,
  account: PlannedAccount,
  state: 'none' | 'empty' | 'funded',
): Promise<void> {
  const { reads, sealing, environment } = ports
  const { account_id, label, owner_address, key_id, secret, asset_id, deposit } = account
  if (state === 'none') {
    await performSignedAct(ports, ACTOR, {
      kind: 'add_account',
      account_id,
      owner_address,
      label,
      policy: DEFAULT_ACCOUNT_POLICY,
    })
  }
  if (state !== 'funded') {
    const transfer_id = `xfer_${account_id}`
    await performSignedAct(ports, ACTOR, { kind: 'deposit', transfer_id, account_id, asset_id, amount: deposit })
  }
  const { keys } = await reads.readAccount(account_id)
  if (keys.some((key) => key.key_id === key_id)) return
  const request = { account_id, owner_address, signer: owner_address, key_id, environment, label, scopes: SCOPES }
  const rest = { ip_allowlist: [], public_key: null, expires_at: null, now: wallClock(), secret }
  const { command } = await issueApiKey({ ...request, ...rest }, sealing)
  await performSignedAct(ports, ACTOR, command)
}

async function ensureMarkets(ports: SandboxPorts, markets: readonly MarketToList[]): Promise<void> {
  const { reads } = ports
  const listed = new Map((await reads.listMarkets()).map(({ market_id, status }) => [market_id, status]))
  for (const market of markets) {
    const { market_id } = market
    if (!listed.has(market_id)) await performSignedAct(ports, ACTOR, addMarketCommand(market, await reads.listFees()))
    // A market that an operator paused or closed stays so.
    if ((listed.get(market_id) ?? 'scheduled') === 'scheduled') {
      await performSignedAct(ports, ACTOR, { kind: 'move_market', market_id, to: 'open' })
    }
  }
}
