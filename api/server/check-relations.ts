import { durationMicros, microsOf } from '../../primitives/instants.ts'
import { CANDLE_BUCKETS_MAX } from '../../protocol/limits.ts'
import type { ParameterValues } from './read-parameters.ts'
import { RequestRefusal, type Violation, violation } from './request-refusal.ts'

/**
 * Checks parameters against each other, after their own schemas: the range is not empty, sampling has its interval and range, an
 * interval has its sampling, and a response has at most CANDLE_BUCKETS_MAX buckets.
 * @param samples  whether the endpoint has the parameter `sampling` (history); otherwise an interval is that of candles
 * @throws {RequestRefusal} VALIDATION_RANGE_INVALID, VALIDATION_PARAMETER_MISSING, VALIDATION_PARAMETER_INVALID
 */
export function checkRelations(values: ParameterValues, samples: boolean): void {
  const faults = [...samplingFaults(values, samples), ...rangeFaults(values)]
  const [first, ...others] = faults
  if (first !== undefined) throw new RequestRefusal([first, ...others])
}

function samplingFaults(values: ParameterValues, samples: boolean): Violation[] {
  if (!samples) return []
  if (values.sampling !== 'latest_per_interval') {
    return values.interval === undefined
      ? []
      : [
          violation(
            'VALIDATION_PARAMETER_INVALID',
            'interval',
            `${values.interval}`,
            'allowed: only with sampling=latest_per_interval',
          ),
        ]
  }
  const absent = ['interval', 'start_time', 'end_time'].filter((name) => values[name] === undefined)
  const faults = absent.map((name) =>
    violation('VALIDATION_PARAMETER_MISSING', name, null, 'is required with sampling=latest_per_interval'),
  )
  if (values.include_corrections !== true) return faults
  const rule = 'allowed: false with sampling=latest_per_interval, which is of the newest revisions'
  return [...faults, violation('VALIDATION_PARAMETER_INVALID', 'include_corrections', 'true', rule)]
}

function rangeFaults({ start_time, end_time, interval }: ParameterValues): Violation[] {
  const start = microsOf(start_time)
  const end = microsOf(end_time)
  if (start === null || end === null) return []
  if (end <= start) {
    return [
      violation(
        'VALIDATION_RANGE_INVALID',
        'end_time',
        `${end_time}`,
        `allowed: an instant after start_time ${start_time}`,
      ),
    ]
  }
  if (interval === undefined) return []
  const length = durationMicros(interval)
  const buckets = Math.floor((end - 1) / length) - Math.floor(start / length) + 1
  if (buckets <= CANDLE_BUCKETS_MAX) return []
  const rule = `${buckets} buckets of ${interval} from start_time ${start_time}; allowed: at most ${CANDLE_BUCKETS_MAX}`
  return [violation('VALIDATION_RANGE_INVALID', 'end_time', `${end_time}`, rule)]
}
