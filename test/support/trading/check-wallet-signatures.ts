import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type SignedOrderBody, signOrder } from '../../../client/signing/sign-order.ts'
import type { MessageSigner } from '../../../client/signing/typed-signer.ts'
import type { SignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import { pick, seededRandom } from '../random.ts'
import type { SignatureReport } from './check-signatures.ts'
import type { walletDeployer } from './deploy-wallets.ts'
import { CHANGES, signatureCase } from './signature-cases.ts'

const OWNERS: readonly Hex[] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`]
const KINDS = ['erc1271', 'erc1271_erc7739'] as const
const TOGETHER = 20

type Wallet = { readonly kind: (typeof KINDS)[number]; readonly owner: Hex; readonly address: Hex }
type Change = (body: SignedOrderBody, random: () => number) => SignedOrderBody

/** Faults of a wallet's signature; `none` is signed by its owner. */
const FAULTS: Readonly<Record<string, Change>> = {
  none: (body) => body,
  other_owner: (body) => body,
  other_wallet: (body) => body,
  other_field: (body, random) => ({ ...body, ...pick(CHANGES, random)(body) }),
  as_eoa: (body) => ({ ...body, signature_type: 'eoa' }),
  cut: (body) => ({ ...body, order_signature: body.order_signature.slice(0, -2) }),
  bit: (body, random) => {
    const at = 2 + Math.floor(random() * 128) // r and s alone: whoever reads v may forgive
    const digit = (Number.parseInt(body.order_signature[at]!, 16) ^ 1).toString(16)
    return { ...body, order_signature: body.order_signature.slice(0, at) + digit + body.order_signature.slice(at + 1) }
  },
}

/** Judges orders of plain and nested wallets on a chain, signed well and badly; each must be judged as its fault says. */
export async function checkWalletSignatures(
  verifier: SignatureVerifier,
  deploy: ReturnType<typeof walletDeployer>,
  seed: number,
  cases: number,
): Promise<SignatureReport> {
  const random = seededRandom(seed)
  const wallets = await deployAll(deploy)
  const by_mutation: Record<string, number> = {}
  const violations: string[] = []
  let accepted = 0
  for (let done = 0; done < cases; done += TOGETHER) {
    const some = Array.from({ length: Math.min(TOGETHER, cases - done) }, () => drawn(wallets, random))
    const verdicts = await Promise.all(some.map((one) => judge(verifier, one)))
    for (const [n, { fault, wallet }] of some.entries()) {
      const name = `${wallet.kind} ${fault}`
      by_mutation[name] = (by_mutation[name] ?? 0) + 1
      const code = verdicts[n]!
      accepted += code === 'valid' ? 1 : 0
      if ((code === 'valid') !== (fault === 'none')) violations.push(`seed ${seed}, case ${done + n}, ${name}: ${code}`)
    }
  }
  return { cases, accepted, by_mutation, violations }
}

async function deployAll(deploy: ReturnType<typeof walletDeployer>): Promise<readonly Wallet[]> {
  const wallets: Wallet[] = []
  for (const kind of KINDS)
    for (const owner of OWNERS) {
      const contract = kind === 'erc1271' ? 'PlainWallet' : 'NestedWallet'
      wallets.push({ kind, owner, address: await deploy(contract, privateKeyToAccount(owner).address) })
    }
  return wallets
}

/** Everything that is random of a case, drawn before anything waits. */
function drawn(wallets: readonly Wallet[], random: () => number) {
  const wallet = pick(wallets, random)
  const fault = pick(Object.keys(FAULTS), random)
  const other = wallets.find(({ kind, owner }) => kind === wallet.kind && owner !== wallet.owner)!
  return { wallet, other, fault, order: signatureCase(random).order, change: random() }
}

async function judge(
  verifier: SignatureVerifier,
  { wallet, other, fault, order, change }: ReturnType<typeof drawn>,
): Promise<string> {
  const signs = fault === 'other_owner' ? other.owner : wallet.owner
  const body = await signOrder(order, signerOf(fault === 'other_wallet' ? other : wallet, signs), 'sandbox')
  const changed = FAULTS[fault]!({ ...body, signer: wallet.address }, () => change)
  const { order_signature, signature_type, ...sent } = changed
  const { verdict } = await verifier.verifyOrder({ order: sent, signature: order_signature, signature_type })
  return verdict?.code ?? 'valid'
}

function signerOf({ kind, address }: Wallet, owner: Hex): MessageSigner {
  const account = privateKeyToAccount(owner)
  if (kind === 'erc1271') return { kind, account, wallet: address }
  return { kind, account, wallet: address, wallet_domain: { name: 'Vault', version: '1', chain_id: 31337 } }
}
