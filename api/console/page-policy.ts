/** Security policy of the console and the documentation: own scripts, styles, pictures and service; nothing inline or from elsewhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Browsers that the scripts are made for. */
export const SCRIPT_TARGETS = ['es2023', 'chrome115', 'firefox115', 'safari16.4']
