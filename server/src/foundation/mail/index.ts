export { createMail, type Mail, type MailOptions, type MailSenders } from './mail.ts'
export type { NewMail } from './message.ts'
export { parseSmtpUrl, type SmtpServer } from './smtp.ts'
export { mailHeadSchema, mailRows, type StoredMail, storedMailSchema } from './store.ts'
