import { newSignerKey } from '../../client/signing/new-signer-key.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { SANDBOX } from '../../trading/engine/authorize-act.ts'
import { readChainAddress, removeChainAddress, writeChainAddress } from './chain/chain-file.ts'
import { deploySmartAccount } from './chain/deploy-smart-account.ts'
import { type LocalChain, startChain } from './chain/start-chain.ts'
import { openAccounts, type SandboxPorts } from './open-sandbox.ts'
import { readSmartAccount, writeSmartAccount } from './sandbox-file.ts'
import { newAccount, type PlannedSmartAccount, USER_DEPOSIT } from './sandbox-plan.ts'

/** Credentials of an account whose owner is a contract, as the client takes them. */
export type SmartAccount = {
  readonly account_id: string
  readonly key_id: string
  readonly algorithm: 'hmac-sha256'
  readonly secret: string
  readonly environment: string
  readonly asset_id: string
  /** Key whose signatures the contract accepts. */
  readonly signer_private_key: string
  readonly smart_account_address: string
}

/** A smart account that can trade for as long as its chain runs. */
export type RunningSmartAccount = { readonly account: SmartAccount; readonly rpc_url: string; stop(): Promise<void> }

/**
 * Starts a local chain with one smart account, opens a funded account of that owner in the sandbox, and names the chain to the API.
 * The account and its keys are kept in the home; a later start finds them again.
 * @param withPorts connects to the engine while an account is opened
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: not a sandbox, a chain runs already, or its package is missing; SERVICE_UNAVAILABLE
 */
export async function startSmartAccount(
  { home, environment }: Pick<SandboxPorts, 'home' | 'environment'>,
  withPorts: (work: (ports: SandboxPorts) => Promise<void>) => Promise<void>,
): Promise<RunningSmartAccount> {
  if (environment !== SANDBOX)
    throw notAllowed('VALIDATION_USAGE_INVALID', 'TIDEMARK_ENVIRONMENT', environment, SANDBOX)
  await refuseSecondChain(home)
  const chain = await startChain()
  try {
    const planned = await planOn(chain, home)
    await withPorts((ports) => openAccounts(ports, [planned]))
    await writeChainAddress(home, chain.rpc_url)
    return { account: credentialsOf(planned, environment), rpc_url: chain.rpc_url, stop }
  } catch (error) {
    await chain.stop()
    throw error
  }
  async function stop(): Promise<void> {
    await removeChainAddress(home)
    await chain.stop()
  }
}

async function refuseSecondChain(home: string): Promise<void> {
  const rpc_url = readChainAddress(home)
  if (rpc_url === null) return
  // The address of a chain that was killed stays; nobody answers there.
  const is_running = await fetch(rpc_url, { method: 'POST', body: '{}' }).then(
    () => true,
    () => false,
  )
  if (!is_running) return
  const message = `home is ${home}, whose chain runs at ${rpc_url}; allowed: one at a time; stop the other command first`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'home', value: home })
}

/** Deploys the contract of the owner of an earlier start, or of a new one. */
async function planOn({ rpc_url }: LocalChain, home: string): Promise<PlannedSmartAccount> {
  const before = await readSmartAccount(home)
  const signer = before ?? newSigner()
  const owner_address = await deploySmartAccount(rpc_url, signer.signer_address)
  if (before !== null) {
    if (before.owner_address === owner_address) return before
    const message = `the chain deployed ${owner_address}; allowed: ${before.owner_address}, the owner of ${before.account_id}; remove the file of the account to have a new one`
    throw new ServiceError('SERVICE_UNAVAILABLE', message)
  }
  const made = { ...newAccount('Smart account', USER_DEPOSIT), ...signer, owner_address }
  await writeSmartAccount(home, made)
  return made
}

function newSigner(): Pick<PlannedSmartAccount, 'owner_private_key' | 'signer_address'> {
  const { private_key, address } = newSignerKey()
  return { owner_private_key: private_key, signer_address: address }
}

function credentialsOf(planned: PlannedSmartAccount, environment: string): SmartAccount {
  const { account_id, key_id, algorithm, secret, asset_id, owner_private_key, owner_address } = planned
  const signing = { signer_private_key: owner_private_key, smart_account_address: owner_address }
  return { account_id, key_id, algorithm, secret, environment, asset_id, ...signing }
}
