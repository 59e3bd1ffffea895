import { openWarehouse } from '../../warehouse/warehouse.ts'

/** Reader process: prints each version of market_quote with the epoch milliseconds at which its rows became readable. */
const [root = ''] = process.argv.slice(2)
const warehouse = await openWarehouse({ root })
console.log('ready')
for await (const { version } of warehouse.log('market_quote').tail({ after_version: 0 })) {
  const snapshot = await warehouse.log('market_quote').snapshot()
  await warehouse.log('market_quote').ensureVerified(snapshot.files.slice(-1))
  console.log(`${version} ${performance.timeOrigin + performance.now()}`)
}
