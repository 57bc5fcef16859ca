/** The link of a mail, as the address of the page has it behind `#`. */
export type MailLink = { readonly kind: 'invitation' | 'reset'; readonly secret: string }

const shape = /^#(invitation|reset)=([0-9a-f]{40})$/

/** Returns the link of an address; undefined if it is none. */
export function parseMailLink(hash: string): MailLink | undefined {
  const [, kind, secret] = shape.exec(hash) ?? []
  if ((kind !== 'invitation' && kind !== 'reset') || secret === undefined) return undefined
  return { kind, secret }
}

/** Takes the link out of the address and of the history: it is a secret. */
export function forgetMailLink(): void {
  window.history.replaceState(null, '', window.location.pathname)
}
