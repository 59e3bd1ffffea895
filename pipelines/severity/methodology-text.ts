/** SHA-256 of docs/methodology/severity-1.md, the normative text; test/pipelines/severity/methodology.test.ts compares. */
export const SEVERITY_TEXT_SHA256 = 'fdfdd31ca05a4a65c49f355c9afd743716fa268eb5b21f7b6f0c7ba48c3d71c7'
