import { defineTexts } from '../../ui/texts.ts'

/** The texts for people who are not signed in. */
export const signingInTexts = defineTexts({
  signIn: ['Sign in', 'Anmelden'],
  signInWith: (provider: string) => [`Sign in with ${provider}`, `Mit ${provider} anmelden`],
  email: ['E-mail address', 'E-Mail-Adresse'],
  password: ['Password', 'Passwort'],
  forgotten: ['Forgot your password?', 'Passwort vergessen?'],
  demo: ['The demo prints its account when it starts.', 'Die Demo gibt ihr Konto beim Start aus.'],
  over: [
    'The sign-in is over. Try again.',
    'Die Anmeldung ist abgelaufen. Versuchen Sie es noch einmal.',
  ],
  wrongPassword: [
    'The e-mail address or the password is not right.',
    'Die E-Mail-Adresse oder das Passwort stimmt nicht.',
  ],
  wrongCode: [
    'The code is not right, or was used before.',
    'Der Code stimmt nicht oder wurde schon verwendet.',
  ],
  setUpStep: ['Set up a second step', 'Zweiten Schritt einrichten'],
  secondStep: ['Second step', 'Zweiter Schritt'],
  code: ['Code', 'Code'],
  newCodeHint: [
    'The six digits that your app shows now.',
    'Die sechs Ziffern, die Ihre App jetzt zeigt.',
  ],
  codeHint: [
    'The six digits that your app shows, or a recovery code.',
    'Die sechs Ziffern, die Ihre App zeigt, oder ein Wiederherstellungscode.',
  ],
  confirm: ['Confirm and sign in', 'Bestätigen und anmelden'],
  other: ['Use another account', 'Anderes Konto verwenden'],
  demanded: [
    'Your business demands a second step. Add Millrace to an app that shows codes:',
    'Ihr Unternehmen verlangt einen zweiten Schritt. Fügen Sie Millrace einer App hinzu, die ' +
      'Codes zeigt:',
  ],
  openApp: ['open the app', 'App öffnen'],
  orType: [', or type this key into it.', ', oder tippen Sie diesen Schlüssel ein.'],
  key: ['Key for the app', 'Schlüssel für die App'],
  keep: ['Keep your recovery codes', 'Bewahren Sie Ihre Wiederherstellungscodes auf'],
  once: [
    'Each of them is taken once in place of your app. They are not shown again.',
    'Jeder gilt einmal anstelle Ihrer App. Sie werden nicht noch einmal gezeigt.',
  ],
  kept: ['I have kept them', 'Ich habe sie aufbewahrt'],
  accepted: (email: string) => [
    `You are a user now. Sign in as ${email}.`,
    `Sie sind jetzt Benutzer. Melden Sie sich als ${email} an.`,
  ],
  isSet: [
    'Your password is set. Sign in with it.',
    'Ihr Passwort ist gesetzt. Melden Sie sich damit an.',
  ],
  acceptInvitation: ['Accept the invitation', 'Einladung annehmen'],
  accept: ['Accept', 'Annehmen'],
  yourName: ['Your name', 'Ihr Name'],
  newPassword: ['New password', 'Neues Passwort'],
  again: ['New password, again', 'Neues Passwort, noch einmal'],
  setNew: ['Set a new password', 'Neues Passwort setzen'],
  set: ['Set the password', 'Passwort setzen'],
  differ: ['The two passwords are not the same.', 'Die beiden Passwörter sind nicht gleich.'],
  sent: [
    'If there is such a user, a mail with a link is on its way.',
    'Gibt es diesen Benutzer, ist eine E-Mail mit einem Link unterwegs.',
  ],
  send: ['Send a link', 'Link senden'],
  back: ['Back to the sign-in', 'Zurück zur Anmeldung'],
  providerFailed: [
    'The sign-in at the provider failed. Try again.',
    'Die Anmeldung beim Anbieter ist fehlgeschlagen. Versuchen Sie es noch einmal.',
  ],
  forbidden: [
    'There is no user of the e-mail address with which you signed in there.',
    'Es gibt keinen Benutzer mit der E-Mail-Adresse, mit der Sie dort angemeldet sind.',
  ],
  not_found: [
    'The sign-in took too long, or began in another browser. Try again.',
    'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. ' +
      'Versuchen Sie es noch einmal.',
  ],
  overloaded: [
    'Too many sign-ins are in progress. Try again.',
    'Zu viele Anmeldungen laufen. Versuchen Sie es noch einmal.',
  ],
})
