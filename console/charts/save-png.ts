import { saveFile } from '../parts/save-file.ts'

const LINE = 18
const MARGIN = 12

/** Saves a chart as a picture, with lines of text above it: what it shows, as of when, and whether it is simulated. */
export function saveChartPng(chart: HTMLCanvasElement, captions: readonly string[], name: string): void {
  const scale = devicePixelRatio
  const head = (captions.length * LINE + MARGIN) * scale
  const canvas = document.createElement('canvas')
  canvas.width = chart.width + 2 * MARGIN * scale
  canvas.height = chart.height + head + MARGIN * scale
  const context = canvas.getContext('2d')!
  const style = getComputedStyle(document.body)
  context.fillStyle = style.backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = style.color
  for (const [at, text] of captions.entries()) {
    context.font = `${at === 0 ? 600 : 400} ${13 * scale}px system-ui, sans-serif`
    context.fillText(text, MARGIN * scale, (MARGIN + LINE * (at + 0.6)) * scale, canvas.width - 2 * MARGIN * scale)
  }
  context.drawImage(chart, MARGIN * scale, head)
  canvas.toBlob((blob) => {
    if (blob !== null) saveFile(blob, name)
  }, 'image/png')
}
