import { useEffect, useRef, useState } from 'preact/hooks'
import { go } from '../data/route.ts'
import { type TimeWindow, writeWindow } from './window.ts'

/** Pause after the last move before the window becomes part of the address, and is read. */
const SETTLED_MS = 350

/**
 * Returns the window to draw: that of the address, or the one that pointer and keys have moved it to since.
 * @param range  range of the address
 */
export function useChartWindow(
  range: string | null,
  settled: TimeWindow,
): readonly [window: TimeWindow, move: (window: TimeWindow) => void] {
  const [held, hold] = useState<{ readonly of: string | null; readonly window: TimeWindow } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const move = (window: TimeWindow) => {
    hold({ of: range, window })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => go({ range: writeWindow(window) }, true), SETTLED_MS)
  }
  return [held !== null && held.of === range ? held.window : settled, move]
}
