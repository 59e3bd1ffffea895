import { expect, test } from 'vitest'
import { createRandom } from '../../simulator/world/random.ts'
import { STORE_FAULTS, startFaultyStore } from '../../tools/topology/store-faults.ts'
import { useObjectStores } from '../../warehouse/store/s3/object-store-access.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { startStorePair } from '../support/versitygw.ts'
import { killLoop } from '../warehouse/log/kill-loop.ts'

/** Kills in all; TIDEMARK_KILLS asks for another number. */
const KILLS = Number.parseInt(process.env.TIDEMARK_KILLS ?? '500', 10)
const FAULTS_MIN = 2 * KILLS
/** Share of requests that meet a fault, in a million. */
const SHARE = 20_000
const SEED = 33

test(`an object store with ${FAULTS_MIN} faults and ${KILLS} times kill -9: no row is lost, doubled or unreadable`, async () => {
  const folder = tempFolder()
  const pair = await startStorePair(folder)
  const random = createRandom(SEED, 'store')
  const seen = new Map(STORE_FAULTS.map((fault) => [fault, 0]))
  const proxies = await Promise.all(
    pair.access.endpoints.map(async (endpoint) => {
      const { hostname, port } = new URL(endpoint)
      const proxy = await startFaultyStore('127.0.0.1', { host: hostname, port: Number(port) })
      proxy.fault = () => {
        if (!random.chance(SHARE)) return null
        const fault = STORE_FAULTS[random.below(STORE_FAULTS.length)]!
        seen.set(fault, seen.get(fault)! + 1)
        return fault
      }
      return proxy
    }),
  )
  try {
    useObjectStores(pair.access)
    const endpoints = proxies.map(({ address }) => `http://${address}`)
    const access = { ...pair.access, endpoints, folder: `${folder}/copies-of-writers` }
    const report = await killLoop(Math.ceil(KILLS / 2), { store: { root: `s3://${pair.bucket}/killed`, access } })
    console.info(report, Object.fromEntries(seen))
    expect(report).toContain('none lost or doubled')
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(FAULTS_MIN)
    expect(Math.min(...seen.values())).toBeGreaterThan(FAULTS_MIN / 20)
  } finally {
    for (const proxy of proxies) await proxy.close()
    await pair.stop()
  }
}, 3_600_000)
