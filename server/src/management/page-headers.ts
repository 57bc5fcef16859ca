const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

/** Only what this origin serves, and nothing may frame it. No script may stand in the page. */
export function pageHeaders({ stylesInPage }: { readonly stylesInPage: boolean }) {
  const styles = stylesInPage ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'"
  return {
    'content-security-policy': [...policy, styles].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}
