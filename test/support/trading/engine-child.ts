import { wallClock } from '../../../primitives/wall-clock.ts'
import { startEngine } from '../../../trading/service/start-engine.ts'
import { createPool } from '../../../trading/store/create-pool.ts'

/** An engine in a process of its own: URL of its database, its name, a kill point or ''. Says `leading` once it leads. */
const [url, holder, killpoint] = process.argv.slice(2)
const pool = createPool({ url: url!, size: 4 })
const engine = await startEngine({
  pool,
  now: wallClock,
  holder: holder!,
  address: '127.0.0.1:0',
  killpoint: killpoint!,
})
process.stdout.write('started\n')
await engine.leading
process.stdout.write('leading\n')
process.once('SIGTERM', () => {
  void engine
    .stop()
    .then(() => pool.end())
    .then(() => process.exit(0))
})
