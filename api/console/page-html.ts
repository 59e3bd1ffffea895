import type { ConsoleBundle } from './bundle-console.ts'

/** The one document of the console; everything in it is made by its script. */
export function pageHtml({ script, shared, style, icon }: ConsoleBundle): string {
  const preloads = shared.map(
    ({ path, integrity }) => `<link rel="modulepreload" href="${path}" integrity="${integrity}">`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Indexes made from prediction markets, now and as they were known at any instant.">
<title>Tidemark</title>
<link rel="icon" href="${icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${style.path}" integrity="${style.integrity}">
${preloads.join('\n')}
<script type="module" src="${script.path}" integrity="${script.integrity}"></script>
</head>
<body>
<div id="app"><noscript><p>This page needs JavaScript. The same numbers are answered by <a href="/v1/indexes">/v1/indexes</a>.</p></noscript></div>
</body>
</html>
`
}
