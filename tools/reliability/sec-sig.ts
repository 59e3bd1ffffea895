import { startChain } from '../../service/sandbox/chain/start-chain.ts'
import { checkSignatures } from '../../test/support/trading/check-signatures.ts'
import { checkWalletSignatures } from '../../test/support/trading/check-wallet-signatures.ts'
import { walletDeployer } from '../../test/support/trading/deploy-wallets.ts'
import { createSignatureVerifier } from '../../trading/auth/signature-verifier.ts'
import { endedWith } from './ended-with.ts'
import { anySeed, lane, whole } from './lane.ts'
import { writeReport } from './write-report.ts'

/**
 * `npm run sec:sig -- [--count N] [--wallets N] [--seed S]`: judges random signatures, valid and changed, of accounts (by the native
 * verifier and by viem) and of smart accounts on a chain of its own. Prints one JSON line, which reports/reliability/sec-sig.json keeps;
 * ends with 1 where one was judged otherwise than it must be.
 */
const { count, wallets, seed } = lane('sec:sig')
  .option('--count <n>', 'signatures of accounts', whole(1), 100_000)
  .option('--wallets <n>', 'signatures of smart accounts', whole(1), 2_000)
  .option('--seed <n>', 'of the signatures', whole(0), anySeed())
  .parse()
  .opts<{ count: number; wallets: number; seed: number }>()

const starting = startChain()
await endedWith(
  async () => (await starting).stop(),
  async () => {
    const { rpc_url } = await starting
    const verifier = await createSignatureVerifier({ environment: 'sandbox', recovery: 'native', threads: 2, rpc_url })
    try {
      const accounts = await checkSignatures(verifier, seed, count)
      const contracts = await checkWalletSignatures(verifier, walletDeployer(rpc_url), seed, wallets)
      const violations = [...accounts.violations, ...contracts.violations]
      writeReport('sec-sig', { lane: 'sec:sig', seed, violations, accounts, contracts })
    } finally {
      await verifier.close()
    }
  },
)
