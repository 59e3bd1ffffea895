import { join } from 'node:path'
import { ROOT } from './source-files.ts'

/** Returns the folder of one set of recorded data, such as `forecastbench` (datasets/recorded/README.md lists them). */
export function recordedData(set: string): string {
  return join(ROOT, 'datasets/recorded', set)
}
