import { importArchive } from '../../operations/import/import-archive.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'

/**
 * Runs one import into a warehouse, then prints one JSON line. A separate process, so that its memory is the import's alone.
 * Arguments: warehouse root, archive folder, clock.
 */
const [root, dir, clock] = process.argv.slice(2)

async function main(): Promise<void> {
  const started = performance.now()
  const warehouse = await openWarehouse({ root: root!, create: true })
  const report = await importArchive({
    archive: 'forecastbench',
    dir: dir!,
    clock: clock as 'wall' | 'recorded',
    warehouse,
  })
  await warehouse.close()
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const measured = {
    seconds: (performance.now() - started) / 1000,
    cpu_seconds: (userCPUTime + systemCPUTime) / 1e6,
    resident_max_mb: maxRSS / 1024,
    records_read: report.records_read,
    records_stored: report.records_new + report.records_revised,
    commits: report.commits,
  }
  process.stdout.write(`${JSON.stringify(measured)}\n`)
}

await main()
