import { parseArgs } from 'node:util'
import { startAnvil } from '../../test/support/anvil.ts'
import { checkSignatures } from '../../test/support/trading/check-signatures.ts'
import { checkWalletSignatures } from '../../test/support/trading/check-wallet-signatures.ts'
import { walletDeployer } from '../../test/support/trading/deploy-wallets.ts'
import { createSignatureVerifier } from '../../trading/auth/signature-verifier.ts'
import { endedWith } from './ended-with.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run sec:sig -- [--count N] [--wallets N] [--seed S]`: judges random signatures, valid and changed, of accounts (by the native
 * verifier and by viem) and of smart accounts on a chain of its own. Prints one JSON line, which reports/reliability/sec-sig.json keeps;
 * ends with 1 where one was judged otherwise than it must be.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    wallets: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
})
const [count, wallets, seed] = [values.count, values.wallets, values.seed].map(Number) as [number, number, number]

const started = performance.now()
const starting = startAnvil()
await endedWith(
  async () => (await starting).stop(),
  async () => {
    const { rpc_url } = await starting
    const verifier = await createSignatureVerifier({ environment: 'sandbox', recovery: 'native', threads: 2, rpc_url })
    try {
      const accounts = await checkSignatures(verifier, seed, count)
      const contracts = await checkWalletSignatures(verifier, walletDeployer(rpc_url), seed, wallets)
      const violations = [...accounts.violations, ...contracts.violations]
      const seconds = Math.round((performance.now() - started) / 1000)
      writeReport('sec-sig', { lane: 'sec:sig', seed, seconds, violations, accounts, contracts })
    } finally {
      await verifier.close()
    }
  },
)
