// One address a view; each view is loaded when it is first opened.

import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'
import { en } from './strings/en'

export const routes: RouteRecordRaw[] = [
  { path: '/', redirect: { name: 'compare' } },
  {
    path: '/compare',
    name: 'compare',
    component: () => import('./views/Compare.vue'),
    meta: { title: en.compare.title },
  },
  {
    path: '/runs/:run',
    name: 'run',
    component: () => import('./views/Run.vue'),
    props: true,
    meta: { title: en.run.title },
  },
  {
    // A label of a model in a run, and its documents: ?model=NAME
    path: '/runs/:run/labels/:label',
    name: 'label',
    component: () => import('./views/Label.vue'),
    props: true,
    meta: { title: en.label.title },
  },
  {
    // One document: ?label=NAME&model=NAME
    path: '/runs/:run/documents/:document',
    name: 'document',
    component: () => import('./views/Document.vue'),
    props: true,
    meta: { title: en.document.title },
  },
  {
    path: '/new',
    name: 'new-run',
    component: () => import('./views/NewRun.vue'),
    meta: { title: en.newRun.title },
  },
  {
    path: '/data/:dataset?',
    name: 'data',
    component: () => import('./views/Data.vue'),
    props: true,
    meta: { title: en.data.title },
  },
  {
    path: '/labels/:pack?/:label?',
    name: 'labels',
    component: () => import('./views/Labels.vue'),
    props: true,
    meta: { title: en.labels.title },
  },
  {
    path: '/:rest(.*)*',
    name: 'not-found',
    component: () => import('./views/NotFound.vue'),
    meta: { title: en.app.notFoundTitle },
  },
]

export const router = createRouter({
  history: createWebHistory(),
  routes,
  scrollBehavior(to, from, saved) {
    if (saved) return saved
    if (to.hash) return { el: to.hash }
    return to.path === from.path ? false : { top: 0 }
  },
})

router.afterEach((to, from) => {
  document.title = to.meta.title ? `${to.meta.title} · ${en.app.name}` : en.app.name
  // A reader of the screen hears the new view; the first one is read as it is.
  if (from.matched.length && to.path !== from.path) {
    document.getElementById('content')?.focus({ preventScroll: true })
  }
})

declare module 'vue-router' {
  interface RouteMeta {
    title?: string
  }
}
