/** Runs in the browser, before the viewer: whose requests they are, and what is asked before. */

/** Where the console keeps its session, for all tabs of the browser. */
const sessionKey = 'millrace.session'
const element = (id) => document.getElementById(id)

/** In memory only: it is gone with the page. */
let apiToken = ''

function readSession() {
  try {
    const { token, email } = JSON.parse(localStorage.getItem(sessionKey) ?? '{}')
    return token === undefined || email === undefined ? undefined : { token, email }
  } catch {
    return undefined
  }
}

/** The header of a request; undefined if nobody is signed in and no token was entered. */
function authorization() {
  if (apiToken !== '') return `Automation ${apiToken}`
  const session = readSession()
  return session === undefined ? undefined : `token ${session.token}`
}

async function showCaller() {
  const used = authorization()
  element('forget').hidden = apiToken === ''
  element('who').textContent = used === undefined ? nobody : 'Reading who makes requests …'
  if (used === undefined) return
  const text = await describeCaller(used)
  // Another session or token may have come in the meantime.
  if (used === authorization()) element('who').textContent = text
}

const nobody =
  'Nobody: requests are sent without a credential. Sign in to the console, or enter an API token.'

async function describeCaller(used) {
  const what = apiToken === '' ? 'with the session of the console' : 'with the API token'
  try {
    const headers = { authorization: used }
    const answer = await fetch('/api:1/whoami', { headers, credentials: 'omit', cache: 'no-store' })
    const body = await answer.json()
    if (!answer.ok) return `Requests are sent ${what}, which is refused: ${body.message}`
    const name = body.email ?? body.subject
    const permissions = body.permissions.join(', ') || 'none'
    const as = `${name} of ${body.business.name}, ${what}`
    return `Requests are made as ${as}. Permissions: ${permissions}.`
  } catch {
    return `Requests are sent ${what}. The instance does not answer at present.`
  }
}

/** Resolves to whether a person has confirmed the change. */
function confirmed(method, path) {
  const dialog = element('confirm')
  element('change').textContent = `${method.toUpperCase()} ${path}`
  element('as').textContent = element('who').textContent
  dialog.returnValue = ''
  const answered = new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'send'), { once: true })
  })
  dialog.showModal()
  return answered
}

function permissionOf({ security, 'x-permission': permission }) {
  if (permission !== undefined) return `Permission: ${permission}.`
  if (security?.length === 0) return 'No credential is needed.'
  const isOperators = security?.every((one) => 'operator' in one)
  return isOperators ? 'Only for the operator of the instance.' : 'For each caller.'
}

/** The document, with the permission of each operation in its text. */
async function readDocument() {
  const answer = await fetch('/api:1/openapi.json', { credentials: 'omit' })
  const spec = await answer.json()
  for (const operation of Object.values(spec.paths).flatMap((path) => Object.values(path))) {
    operation.description = `**${permissionOf(operation)}**\n\n${operation.description ?? ''}`
  }
  return spec
}

function matches(operation, tag, phrase) {
  const { summary, operationId, description } = operation.get('operation').toJS()
  const parts = [tag, operation.get('method'), operation.get('path'), summary, operationId]
  return [...parts, description].join(' ').toLowerCase().includes(phrase)
}

/** Only operations that have all words of the search, below their topics. */
function search(topics, text) {
  const words = text.toLowerCase().split(/\s+/)
  return topics
    .map((topic, tag) =>
      topic.update('operations', (all) =>
        all.filter((one) => words.every((word) => matches(one, tag, word))),
      ),
    )
    .filter((topic) => topic.get('operations').size > 0)
}

/** What differs from the viewer as it comes. */
const ours = ({ React }) => ({
  fn: { opsFilter: search },
  components: {
    // The viewer's own page has a head, and a list of servers, of which there is one.
    OurLayout: ({ getComponent }) =>
      React.createElement(
        'div',
        { className: 'swagger-ui' },
        React.createElement(getComponent('SvgAssets')),
        React.createElement(getComponent('errors', true)),
        React.createElement(getComponent('operations', true)),
      ),
    authorizeOperationBtn: () => null,
    // It lies in a button, where a link cannot be.
    DeepLink: ({ text }) => React.createElement('span', null, text),
  },
  wrapComponents: {
    TextArea: (Original) => (props) =>
      React.createElement(Original, { 'aria-label': 'Body', ...props }),
    execute: (Original) => (props) => {
      const { method, path, specActions, onExecute } = props
      const execute = async (asked) => {
        if (method !== 'get' && !(await confirmed(method, path))) return
        onExecute?.()
        specActions.execute(asked)
      }
      const actions = { ...specActions, execute }
      return React.createElement(Original, { ...props, specActions: actions, onExecute: undefined })
    },
  },
})

/** A credential goes to this origin only; the browser's is left out: a 401 opens no dialog. */
function addCredential(request) {
  const used = authorization()
  const isOwn = new URL(request.url, location.href).origin === location.origin
  const added = used !== undefined && isOwn ? { Authorization: used } : {}
  return { ...request, credentials: 'omit', headers: { ...request.headers, ...added } }
}

function followTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const show = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', show)
  show()
}

function followCaller() {
  element('token-form').addEventListener('submit', (event) => {
    event.preventDefault()
    apiToken = element('token').value.trim()
    element('token').value = ''
    showCaller()
  })
  element('forget').addEventListener('click', () => {
    apiToken = ''
    showCaller()
    element('token').focus()
  })
  // Another tab has signed in or out.
  addEventListener('storage', ({ key }) => {
    if (key === sessionKey || key === null) showCaller()
  })
  showCaller()
}

followTheme()
followCaller()
// The viewer comes behind this script.
addEventListener('DOMContentLoaded', async () => {
  const viewer = globalThis.SwaggerUIBundle({
    spec: await readDocument(),
    dom_id: '#api',
    layout: 'OurLayout',
    plugins: [ours],
    deepLinking: true,
    docExpansion: 'list',
    tryItOutEnabled: true,
    validatorUrl: null,
    // Its colours have too little contrast.
    syntaxHighlight: { activated: false },
    // The curl command that is shown would have the token of the session.
    showMutatedRequest: false,
    requestInterceptor: addCredential,
  })
  const find = () => viewer.layoutActions.updateFilter(element('search').value.trim() || false)
  element('search').addEventListener('input', find)
  // It may have been entered before the viewer had come.
  if (element('search').value !== '') find()
})
