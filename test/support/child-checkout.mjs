import { CHECKOUT } from '../../launch/compiled-entry.mjs'

/** Scripts of tests and benches that are started as processes of their own, compiled together when the first is asked for. */
export const CHILD_CHECKOUT = {
  root: CHECKOUT.root,
  told_by: 'TIDEMARK_COMPILED_FOR_TESTS',
  entries: [
    'bench/support/orders-server.ts',
    'bench/support/statement-server.ts',
    'test/support/import-child.ts',
    'test/support/trading/engine-child.ts',
    'test/warehouse/log/children/append-writer.ts',
    'test/warehouse/transparency/children/log-writer-child.ts',
    'test/workflows/support/review-child.ts',
    'test/workflows/support/worker-child.ts',
    'tools/docs/main.ts',
    'tools/reliability/day/settlement-worker.ts',
    'tools/reliability/hostile/attacker.ts',
    'tools/reliability/rel-idem.ts',
    'tools/reliability/rel-sim.ts',
  ],
  sources: [...CHECKOUT.sources, 'bench', 'test', 'tools'],
}
