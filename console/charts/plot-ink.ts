import type uPlot from 'uplot'
import type { Ink } from './ink.ts'

/** Returns the ink of a plot. @param color  color of the style sheet by its name */
export function inkOf(plot: uPlot, color: (name: string) => string): Ink {
  return {
    context: plot.ctx,
    box: plot.bbox,
    x: (seconds) => plot.valToPos(seconds, 'x', true),
    y: (value) => plot.valToPos(value, 'y', true),
    color,
    scale: devicePixelRatio,
  }
}
