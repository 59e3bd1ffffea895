import type uPlot from 'uplot'
import type { PlotState } from './plot-options.ts'
import { panned, wheelFactor, zoomed } from './window.ts'

/**
 * Connects wheel and moving to a plot. The wheel zooms where the plot has the focus, or with Ctrl, so that it else scrolls the page.
 * Shift and a drag move the chart, as does a finger.
 */
export function followPointer(plot: uPlot, latest: { readonly current: PlotState }, signal: AbortSignal): void {
  const { over } = plot
  const onWheel = (event: WheelEvent) => {
    const has_focus = document.activeElement?.contains(over) === true && document.activeElement !== document.body
    if (!has_focus && !event.ctrlKey) return
    event.preventDefault()
    const { window, limits, onWindow } = latest.current
    const turn = event.deltaY === 0 ? event.deltaX : event.deltaY
    const is_pan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    const at = plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x')
    onWindow(
      is_pan
        ? panned(window, (event.deltaX || turn) / over.clientWidth, limits)
        : zoomed(window, at, wheelFactor(turn), limits),
    )
  }
  over.addEventListener('wheel', onWheel, { passive: false, signal })
  let last_x: number | null = null
  const onDown = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' && !event.shiftKey) return
    last_x = event.clientX
    over.setPointerCapture(event.pointerId)
  }
  const onMove = (event: PointerEvent) => {
    if (last_x === null) return
    const { window, limits, onWindow } = latest.current
    onWindow(panned(window, (last_x - event.clientX) / over.clientWidth, limits))
    last_x = event.clientX
  }
  const onUp = () => {
    last_x = null
  }
  over.addEventListener('pointerdown', onDown, { signal })
  over.addEventListener('pointermove', onMove, { signal })
  for (const end of ['pointerup', 'pointercancel'] as const) over.addEventListener(end, onUp, { signal })
}
