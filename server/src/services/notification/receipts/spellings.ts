const ports: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** A URL as it was given, and as a signer may write it: with the scheme's port, and without. */
export function spellings(url: string): string[] {
  const [, scheme = '', host = '', rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/s.exec(url) ?? []
  const bare = host.replace(/:\d+$/, '')
  const port = host === bare ? `:${ports[scheme]}` : host.slice(bare.length)
  return [...new Set([url, `${scheme}://${bare}${rest}`, `${scheme}://${bare}${port}${rest}`])]
}
