export { createMail, type Mail, type MailOptions } from './mail.ts'
export type { NewMail } from './message.ts'
export { parseSmtpUrl, type SmtpServer } from './smtp.ts'
export type { StoredMail } from './store.ts'
