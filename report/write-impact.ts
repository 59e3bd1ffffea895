import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ComputedImpact,
  computeImpact,
  type ImpactRequest,
} from '../operations/governance/impact/compute-impact.ts'
import { ServiceError } from '../primitives/errors.ts'
import { renderImpactReport } from './impact-report.ts'
import { ImpactTickKeeper } from './impact-ticks.ts'
import { writeWhole } from './write-whole.ts'

/**
 * Computes an impact and writes it to a folder: impact.json (the signed text), levels.csv and impact.html.
 * @throws {ServiceError} as computeImpact; VALIDATION_USAGE_INVALID where a file cannot be written
 */
export async function writeImpact(request: Omit<ImpactRequest, 'lines'>, folder: string): Promise<ComputedImpact> {
  const data = openData(folder)
  const keeper = new ImpactTickKeeper()
  try {
    const impact = await computeImpact({
      ...request,
      lines: (lines) => {
        data.write(lines)
        keeper.add(lines)
      },
    })
    data.finish()
    const { document, text, impact_digest } = impact
    await writeWhole(join(folder, 'impact.json'), text, 'out')
    await writeWhole(join(folder, 'impact.html'), renderImpactReport(document, impact_digest, keeper.result()), 'out')
    return impact
  } catch (error) {
    data.discard()
    throw error
  }
}

/** Opens levels.csv, which appears complete or not at all. */
function openData(folder: string) {
  const file = join(folder, 'levels.csv')
  const partial = `${file}.${process.pid}.partial`
  try {
    mkdirSync(folder, { recursive: true })
    const opened = openSync(partial, 'wx')
    let is_open = true
    const close = () => {
      if (is_open) closeSync(opened)
      is_open = false
    }
    return {
      write: (text: string) => void writeSync(opened, text),
      finish: () => {
        close()
        renameSync(partial, file)
      },
      discard: () => {
        close()
        rmSync(partial, { force: true })
      },
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    const message = `out is ${folder} (${code}); allowed: a folder that can be written`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { out: folder }, error)
  }
}
