import { importArchive } from '../../operations/import/import-archive.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'

/**
 * Imports days of recorded payloads into an empty warehouse like `tidemark import`, then prints one JSON line. A separate process,
 * so that its memory is the import's alone. Arguments: warehouse root, archive folder.
 */
const [root, dir] = process.argv.slice(2)

const THREAD_FROM_BYTES = 4 * 1024 * 1024
const SAMPLES_EVERY_MS = 100
const MEGABYTE = 1024 * 1024

async function main(): Promise<void> {
  const started = performance.now()
  const memory = samplesOfMemory()
  const warehouse = await openWarehouse({ root: root!, create: true })
  const report = await importArchive({
    archive: 'kalshi',
    dir: dir!,
    clock: 'wall',
    warehouse,
    on_progress: memory.endDay,
    thread_from_bytes: THREAD_FROM_BYTES,
  })
  await warehouse.close()
  memory.stop()
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const measured = {
    seconds: (performance.now() - started) / 1000,
    cpu_seconds: (userCPUTime + systemCPUTime) / 1e6,
    resident_max_mb: maxRSS / 1024,
    resident_mb_by_day: memory.days,
    payloads: report.payloads_read,
    payloads_stored: report.payloads_new,
    records: report.records_read,
    records_stored: report.records_new + report.records_revised + report.records_duplicate,
    quarantined: report.records_quarantined,
    commits: report.commits,
  }
  process.stdout.write(`${JSON.stringify(measured)}\n`)
}

/** Returns the mean resident memory of each day while its file is read. */
function samplesOfMemory() {
  const days: number[] = []
  let [sum, count] = [0, 0]
  const timer = setInterval(() => {
    sum += process.memoryUsage.rss()
    count += 1
  }, SAMPLES_EVERY_MS)
  return {
    days,
    endDay(): void {
      days.push(Math.round(sum / Math.max(count, 1) / MEGABYTE))
      sum = 0
      count = 0
    },
    stop: () => clearInterval(timer),
  }
}

await main()
