// Package adapter connects Verso with a web framework. It is for authors of adapters; the
// adapters of Gin, Echo, Fiber, chi and net/http are modules of their own.
//
//   - [Bind] returns the [Binding] to a [Router], which lists its routes as [Listed].
//     [Binding.Add] returns the [Registration] of a route. A [Scope] has the options of the
//     routes in a group.
//   - [NewSeam] returns the check of requests, a [Seam]. For each request, the adapter sets
//     the Request of a [Call], and calls [Seam.Check].
//   - A rejection has a [verso.Answer]. [Fields] are the header fields of a response, each
//     with its [FieldMode].
//   - [NewGroup] returns what the routes of a group have in common, a [Group]: the namespace, the
//     name, the options, and what runs behind the check.
//   - [Picker] picks the handler of a version. A [RouteJoiner] joins the routes that several
//     versions register. [Respond] lets an error handler of a service answer.
//   - A [verso.Rewriter] changes the bodies of requests and responses. A [Sent] decides in
//     which version a webhook is sent.
//
// Package overhttp has what adapters of routers over net/http share.
//
// The [page on adapters] explains how to write one.
//
// [page on adapters]: https://github.com/goverso/verso/blob/main/adapters/README.md
package adapter
