/** Visible part of the time axis, in seconds since 1970. */
export type TimeWindow = { readonly from: number; readonly to: number }

/** Bounds of what can be shown. */
export type WindowLimits = TimeWindow & { readonly length_min: number }

/** Zoom of one key press, button or notch of the wheel. */
export const ZOOM_STEP = 0.8
/** Share of the window that one key press or button moves it by. */
export const PAN_STEP = 0.25
/** Distance that a wheel reports for one notch. */
const NOTCH = 100

/** Returns the window inside its limits: as long as before if that fits, never shorter than the shortest. */
export function within({ from, to }: TimeWindow, limits: WindowLimits): TimeWindow {
  const whole = limits.to - limits.from
  const length = Math.min(Math.max(to - from, Math.min(limits.length_min, whole)), whole)
  const start = Math.min(Math.max(from, limits.from), limits.to - length)
  return { from: start, to: start + length }
}

/**
 * Zooms around an instant, which stays where it is on the screen.
 * @param factor  below 1 shows less, above 1 more
 */
export function zoomed(window: TimeWindow, at: number, factor: number, limits: WindowLimits): TimeWindow {
  const before = window.to - window.from
  const length = Math.min(Math.max(before * factor, limits.length_min), limits.to - limits.from)
  const share = before === 0 ? 0.5 : (at - window.from) / before
  const from = at - share * length
  return within({ from, to: from + length }, limits)
}

/** Moves the window by a share of its length. */
export function panned({ from, to }: TimeWindow, share: number, limits: WindowLimits): TimeWindow {
  const by = (to - from) * share
  return within({ from: from + by, to: to + by }, limits)
}

/** Returns the zoom of a turn of the wheel; turning away from the reader shows less. */
export function wheelFactor(delta: number): number {
  return ZOOM_STEP ** (-delta / NOTCH)
}

/** Returns the window of a drag between two instants, in either direction. */
export function dragged(a: number, b: number, limits: WindowLimits): TimeWindow {
  return within({ from: Math.min(a, b), to: Math.max(a, b) }, limits)
}

/** Returns the middle of a window. */
export function centerOf({ from, to }: TimeWindow): number {
  return (from + to) / 2
}

const INTERVAL = /^([^/]+)\/([^/]+)$/

/** Writes a free range as an ISO 8601 interval of whole seconds. */
export function writeWindow({ from, to }: TimeWindow): string {
  return `${instantAt(Math.floor(from))}/${instantAt(Math.ceil(to))}`
}

/** Parses an ISO 8601 interval; null: it is none, or does not end after its start. */
export function readWindow(text: string | null): TimeWindow | null {
  const parts = INTERVAL.exec(text ?? '')
  if (parts === null) return null
  const [from, to] = [Date.parse(parts[1]!) / 1000, Date.parse(parts[2]!) / 1000]
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? { from, to } : null
}

function instantAt(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}
