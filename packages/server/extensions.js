// Which extensions there are. Each is a workspace that is compiled after the server, so that nothing in packages/server/src can
// import it: this file loads it when it is used, and the bundle holds it in files of its own.

/** What extensions do in the reading threads, by their names. */
const THREAD_TASKS = {
  catchers: () => import('../../plugins/catchers/dist/in-thread.js'),
  'send-apis': () => import('../../plugins/send-apis/dist/send-tasks.js'),
};

export async function openExtensions(settings, log, sendApis) {
  const opened = [];
  if (settings['drop-in'] !== null) {
    const { openCatcher } = await import('../../plugins/catchers/dist/catchers.js');
    opened.push(openCatcher(settings, log));
  }
  if (sendApis.length > 0) {
    const { openSendApis } = await import('../../plugins/send-apis/dist/send-apis.js');
    opened.push(await openSendApis(settings, log, sendApis));
  }
  return opened;
}

export async function extensionTask(extension, task) {
  const { TASKS } = await THREAD_TASKS[extension]();
  return TASKS[task];
}
