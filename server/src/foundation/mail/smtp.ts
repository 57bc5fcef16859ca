import { createTransport } from 'nodemailer'
import { Fault, isLoopbackHost, type Logger, limits } from '../kernel/index.ts'
import { mailLimits } from './limits.ts'
import type { CheckedMail } from './message.ts'

/** An SMTP server, as the operator names it. */
export type SmtpServer = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (`smtps`); else STARTTLS if the server offers it. */
  readonly secure: boolean
  readonly user: string | undefined
  readonly password: string | undefined
}

const ports: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

/** The server of `smtp://user:password@host:port`; undefined if the text is no such URL. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text)
  const port = ports[url?.protocol ?? '']
  if (url === null || port === undefined || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined
  const part = (one: string) => (one === '' ? undefined : decodeURIComponent(one))
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
    secure: url.protocol === 'smtps:',
    user: part(url.username),
    password: part(url.password),
  }
}

/** Sends mails over connections that are kept open while there are some. */
export function createSmtp(server: SmtpServer, logger: Logger) {
  const { host, port, secure, user, password } = server
  const transport = createTransport({
    pool: true,
    maxConnections: mailLimits.mailsAtOnceMax,
    host,
    port,
    secure,
    // A password goes over an encrypted connection, or over this machine's own.
    requireTLS: user !== undefined && !isLoopbackHost(host),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: limits.mailMsMax,
    greetingTimeout: limits.mailMsMax,
    socketTimeout: limits.mailMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    /** @throws Fault mail_failed */
    async send({ from, replyTo, to, subject, text, html }: CheckedMail): Promise<void> {
      const message = { from, replyTo, to: [...to], subject, text, html }
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        const over = () => reject(new Error(`no answer within ${limits.mailMsMax} ms`))
        timer = setTimeout(over, limits.mailMsMax)
      })
      const sending = transport.sendMail(message)
      try {
        await Promise.race([sending, late])
      } catch (cause) {
        sending.catch(() => {})
        logger.warn({ err: cause, host }, 'a mail could not be sent')
        const why = formatReply(cause as Error)
        throw new Fault('mail_failed', `The mail server did not accept the mail: ${why}`, { cause })
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => transport.close(),
  }
}

/** The server's own words, or what is wrong with the connection. */
function formatReply(error: Error & { response?: string; code?: string }): string {
  const text = error.response ?? error.message ?? error.code ?? ''
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, limits.vendorSentenceCharsMax)
}
