// The one way to the service. Paths, parameters and answers are typed by the service's own
// description: `npm run types` writes schema.d.ts from api/openapi.json.

import { addressOf, PREFIX, type Query } from './address'
import { asApiError, errorOf, wasAborted } from './errors'
import type { components, paths } from './schema'
import { en } from '@/strings/en'

export type Schemas = components['schemas']
type Method = 'get' | 'post' | 'put' | 'delete'

type Short<P> = P extends `/api/v1${infer Rest}` ? Rest : never
type Full<P extends string> = `/api/v1${P}`
type Operation<P extends string, M extends Method> =
  Full<P> extends keyof paths
    ? M extends keyof paths[Full<P>]
      ? NonNullable<paths[Full<P>][M]>
      : never
    : never

/** Paths of the service that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: NonNullable<paths[P][M]> extends never ? never : Short<P>
}[keyof paths]

type Json<R> = R extends { content: { 'application/json': infer Body } } ? Body : undefined
type Success<O> = O extends { responses: infer R }
  ? R extends { 200: infer Ok }
    ? Json<Ok>
    : R extends { 201: infer Created }
      ? Json<Created>
      : undefined
  : never
type Parts<O> = O extends { parameters: { path: infer Path extends object } } ? Path : never
type Asked<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never
type Body<O> = O extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: { 'application/json': infer J } }
    ? J
    : never
  : never

export interface Request<O> {
  path?: Parts<O>
  query?: Asked<O>
  body?: Body<O>
  signal?: AbortSignal
}

/** What GET answers. `get('/runs/{run}', { path: { run: 'run-1' } })` */
export function get<P extends PathOf<'get'> & string>(
  path: P,
  request: Request<Operation<P, 'get'>> = {},
): Promise<Success<Operation<P, 'get'>>> {
  return ask('GET', path, request as Loose) as Promise<Success<Operation<P, 'get'>>>
}

export function post<P extends PathOf<'post'> & string>(
  path: P,
  request: Request<Operation<P, 'post'>> = {},
): Promise<Success<Operation<P, 'post'>>> {
  return ask('POST', path, request as Loose) as Promise<Success<Operation<P, 'post'>>>
}

export function put<P extends PathOf<'put'> & string>(
  path: P,
  request: Request<Operation<P, 'put'>> = {},
): Promise<Success<Operation<P, 'put'>>> {
  return ask('PUT', path, request as Loose) as Promise<Success<Operation<P, 'put'>>>
}

export async function remove<P extends PathOf<'delete'> & string>(
  path: P,
  request: Request<Operation<P, 'delete'>> = {},
): Promise<void> {
  await ask('DELETE', path, request as Loose)
}

/** Posts a file as it is; `/datasets`, `/packs`, `/replies` take one. */
export function upload<P extends PathOf<'post'> & string>(
  path: P,
  file: Blob,
  request: Omit<Request<Operation<P, 'post'>>, 'body'> = {},
): Promise<Success<Operation<P, 'post'>>> {
  return ask('POST', path, request as Loose, file) as Promise<Success<Operation<P, 'post'>>>
}

/** The address of a GET, for links: what the page shows is there as JSON, lists also as CSV. */
export function linkTo<P extends PathOf<'get'> & string>(
  path: P,
  request: Request<Operation<P, 'get'>> = {},
): string {
  const { path: parts, query } = request as Loose
  return addressOf(PREFIX + path, parts, query)
}

interface Loose {
  path?: Record<string, string>
  query?: Query
  body?: unknown
  signal?: AbortSignal
}

async function ask(method: string, path: string, request: Loose, file?: Blob): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json' }
  let body: BodyInit | undefined = file
  if (file) headers['content-type'] = file.type || 'application/octet-stream'
  else if (request.body !== undefined) {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(request.body)
  }
  const address = addressOf(PREFIX + path, request.path, request.query)
  let response: Response
  try {
    response = await fetch(address, { method, headers, body, signal: request.signal })
  } catch (thrown) {
    if (wasAborted(thrown)) throw thrown
    throw asApiError(thrown, en.errors.unreachable)
  }
  if (!response.ok) {
    const error = await errorOf(response)
    if (response.status === 401) announceLock()
    throw error
  }
  if (response.status === 204) return undefined
  return response.json()
}

type Listener = () => void
const lockListeners = new Set<Listener>()

/** Calls back when an answer says that a token is needed; the returned function ends that. */
export function onLocked(listener: Listener): () => void {
  lockListeners.add(listener)
  return () => lockListeners.delete(listener)
}

function announceLock(): void {
  for (const listener of lockListeners) listener()
}
