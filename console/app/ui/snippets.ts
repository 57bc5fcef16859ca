import type { components } from '@millrace/client'

/** The facts that a program of a device needs. */
export type Target = {
  readonly connector: string
  readonly identity: string
  /** The resource that it writes, and its value as a text. */
  readonly alias: string
  readonly value: string
  /** True if the connector's devices may connect without encryption. */
  readonly isPlain: boolean
  /** The address of the console, which answers plain devices too. */
  readonly origin: string
  readonly addresses: components['schemas']['DeviceAddresses']
}

export type Snippet = {
  readonly id: string
  readonly name: string
  readonly text: (target: Target) => string
}

/** Programs that activate a device and write one value; each runs as it stands. */
export const snippets: readonly Snippet[] = [
  { id: 'curl', name: 'curl', text: curl },
  { id: 'mqtt', name: 'MQTT', text: mosquitto },
  { id: 'python', name: 'Python', text: python },
  { id: 'node', name: 'Node', text: node },
  { id: 'c', name: 'C', text: c },
  { id: 'arduino', name: 'ESP32 (Arduino)', text: arduino },
]

const aliasPath = '/vendor:v1/stack/alias'

/** Its base address, and the `Host` header where that is an address of the machine. */
function place({ isPlain, origin, addresses }: Target) {
  if (!isPlain) return { api: addresses.https, host: undefined }
  return { api: origin, host: new URL(addresses.http).hostname }
}

/** Commands that keep the authority which the device trusts as `ca.pem`. */
function authority({ isPlain, addresses }: Target): string {
  if (isPlain || addresses.ca === null) return ''
  return `cat > ca.pem <<'EOF'\n${addresses.ca.trim()}\nEOF\n`
}

function curl(target: Target): string {
  return `${activateCommand(target)}\n${writeCommand(target)}\n`
}

/** Activates the device in a shell, which keeps its token. */
export function activateCommand(target: Target): string {
  const { api, host } = place(target)
  const to = host === undefined ? '' : ` -H ${shell(`Host: ${host}`)}`
  const id = shell(`id=${target.identity}`)
  return `${authority(target)}TOKEN=$(curl -s${trust(target)}${to} ${api}/provision/activate \\
  --data-urlencode ${id})`
}

/** Writes a value with the token of the activation in the same shell. */
export function writeCommand(target: Target): string {
  const { api } = place(target)
  return `curl -i${trust(target)} ${api}${aliasPath} -H "X-vendor-CIK: $TOKEN" \\
  --data-urlencode ${shell(`${target.alias}=${target.value}`)}`
}

function trust(target: Target): string {
  return trusts(target) ? ' --cacert ca.pem' : ''
}

function mosquitto(target: Target): string {
  const { isPlain, addresses, connector, identity, alias, value } = target
  const plain = isPlain && addresses.mqtt !== null
  const { hostname, port } = new URL((plain ? addresses.mqtt : null) ?? addresses.mqtts)
  const trust = plain || addresses.ca === null ? '' : ' --cafile ca.pem'
  const topic = shell(`$provision/${identity}`)
  const ca = authority({ ...target, isPlain: plain })
  return `${ca}SERVER="-V mqttv311 -h ${hostname} -p ${port}${trust}"
TOKEN=$(mosquitto_rr $SERVER -u ${shell(connector)} -t ${topic} -e ${topic} -n)
mosquitto_pub $SERVER -u '' -P $TOKEN -q 1 \\
  -t ${shell(`$resource/${alias}`)} -m ${shell(value)}
`
}

function python(target: Target): string {
  const { api, host } = place(target)
  const first = host === undefined ? '{}' : `{"Host": ${text(host)}}`
  const trust = trusts(target)
  const ca = `\nCA = """${target.addresses.ca?.trim()}\n"""\n`
  const context = `${ca}context = ssl.create_default_context(cadata=CA)\n`
  return `import urllib.parse${trust ? ', ssl' : ''}
import urllib.request
${trust ? context : ''}
API = ${text(api)}

def post(path, fields, headers):
    body = urllib.parse.urlencode(fields).encode()
    request = urllib.request.Request(API + path, body, headers)
    with urllib.request.urlopen(request${trust ? ', context=context' : ''}) as answer:
        return answer.read().decode()

token = post("/provision/activate", {"id": ${text(target.identity)}}, ${first})
post("${aliasPath}", {${text(target.alias)}: ${text(target.value)}}, {"X-vendor-CIK": token})
print("written")
`
}

function node(target: Target): string {
  const { api, host } = place(target)
  const { protocol } = new URL(api)
  const library = protocol === 'https:' ? 'https' : 'http'
  const ca = trusts(target) ? `,\n      ca: ${text(`${target.addresses.ca}`)}` : ''
  const first = host === undefined ? '{}' : `{ host: ${text(host)} }`
  return `import { request } from 'node:${library}'

function post(path, fields, headers) {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }${ca},
    }
    const sent = request(new URL(path, ${text(api)}), options, async (answer) => {
      resolve((await answer.toArray()).join(''))
    })
    sent.on('error', reject).end(new URLSearchParams(fields).toString())
  })
}

const token = await post('/provision/activate', { id: ${text(target.identity)} }, ${first})
const fields = { ${text(target.alias)}: ${text(target.value)} }
await post('${aliasPath}', fields, { 'X-vendor-CIK': token })
console.log('written')
`
}

function c(target: Target): string {
  const { api, host } = place(target)
  const trust = trusts(target) ? '  curl_easy_setopt(curl, CURLOPT_CAINFO, "ca.pem");\n' : ''
  const to = host === undefined ? 'NULL' : text(`Host: ${host}`)
  const fields = new URLSearchParams({ [target.alias]: target.value }).toString()
  const id = new URLSearchParams({ id: target.identity }).toString()
  const note = trusts(target) ? `/* ca.pem:\n${target.addresses.ca?.trim()}\n*/\n` : ''
  return `/* cc device.c -lcurl && ./a.out */
${note}#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

static char token[64];

static size_t keep(char *bytes, size_t size, size_t count, void *unused) {
  if (strlen(token) + size * count < sizeof token) strncat(token, bytes, size * count);
  return size * count;
}

static long post(const char *url, const char *fields, const char *header) {
  long status = 0;
  CURL *curl = curl_easy_init();
  struct curl_slist *headers = header ? curl_slist_append(NULL, header) : NULL;
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, fields);
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
${trust}  if (curl_easy_perform(curl) == CURLE_OK)
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_slist_free_all(headers);
  curl_easy_cleanup(curl);
  return status;
}

int main(void) {
  char header[96];
  if (post(${text(`${api}/provision/activate`)}, ${text(id)}, ${to}) != 200) return 1;
  snprintf(header, sizeof header, "X-vendor-CIK: %s", token);
  if (post(${text(api + aliasPath)}, ${text(fields)}, header) != 204) return 2;
  puts("written");
  return 0;
}
`
}

function arduino(target: Target): string {
  const { api, host } = place(target)
  const trust = trusts(target)
  const fields = new URLSearchParams({ [target.alias]: target.value }).toString()
  // Its library sends a Host of its own: the connector stands in the body.
  const { connector, identity } = target
  const named =
    host === undefined ? { id: identity } : { vendor: connector, model: connector, sn: identity }
  const id = new URLSearchParams(named).toString()
  const client = trust ? 'WiFiClientSecure' : 'WiFiClient'
  const ca = trust ? `const char CA[] = R"(${target.addresses.ca?.trim()}\n)";\n` : ''
  return `#include <HTTPClient.h>
#include <${client}.h>

${ca}const char API[] = ${text(api)};
${client} client;
String token;

int post(const char *path, const char *fields) {
  HTTPClient http;
  http.begin(client, String(API) + path);
  http.addHeader("Content-Type", "application/x-www-form-urlencoded");
  if (token != "") http.addHeader("X-vendor-CIK", token);
  int status = http.POST(fields);
  if (status == 200) token = http.getString();
  http.end();
  return status;
}

void setup() {
  WiFi.begin("network", "password");
  while (WiFi.status() != WL_CONNECTED) delay(100);
${trust ? '  client.setCACert(CA);\n' : ''}  post("/provision/activate", ${text(id)});
}

void loop() {
  post("${aliasPath}", ${text(fields)});
  delay(10000);
}
`
}

function trusts({ isPlain, addresses }: Target): boolean {
  return !isPlain && addresses.ca !== null
}

/** A text of JSON is one of Python, JavaScript and C as well. */
function text(value: string): string {
  return JSON.stringify(value)
}

function shell(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`
}
