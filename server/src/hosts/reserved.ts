/**
 * Labels that no tenant takes: those that the instance answers on itself or may later, those that
 * readers take for the operator's, and those that programs look up by themselves or to which
 * certificate authorities write.
 */
export const reservedLabels: readonly string[] = [
  ...['notify', 'api', 'admin', 'console', 'graphql', 'm2', 'www'],
  ...['auth', 'login', 'account', 'accounts', 'sso'],
  ...['mail', 'smtp', 'imap', 'pop', 'pop3', 'webmail', 'mx', 'ftp', 'dns', 'ns', 'ns1', 'ns2'],
  ...['localhost', 'localdomain', 'broadcasthost', 'wpad', 'isatap', 'autoconfig'],
  ...['autodiscover', 'mta-sts', 'openpgpkey'],
  ...['root', 'administrator', 'hostmaster', 'postmaster', 'webmaster', 'security', 'abuse'],
]
