"""Words that are written with a capital in running English and whose form does not show it.

Data. Acronyms, words with inner capitals and words with digits are recognised by their form.
"""

from __future__ import annotations

TERMS = frozenset(
    """
    Abelian Adam Africa African Alibaba Amazon America American Ampere Android Apache Arabic Arm Asia Asian
    Australia Australian Banach Bayes Bayesian Bellman Berkeley Bernoulli Blackwell Bluetooth Boltzmann
    Boolean Brazil Britain British Brownian Byzantine California Cambridge Canada Canadian Cantor Carlo
    Cartesian Cauchy Cerebras Chernoff China Chinese Chomsky Claude Clifford Cornell Coulomb Darwin Debian
    Dirac Dirichlet Docker Dutch Einstein England English Ethernet Euclid Euclidean Euler Europe European
    Facebook Fermi Feynman Fibonacci Fortran Fourier France French Fresnel Frobenius Galerkin Galois Gaudi
    Gauss Gaussian Gemini German Germany Gibbs Google Greek Hadamard Hadoop Hamilton Hamiltonian Hamming
    Harvard Haskell Hebbian Heisenberg Hermite Hermitian Hessian Hilbert Hoare Hopfield Hopper Huffman India
    Indian Inferentia Intel Ironwood Ising Italian Italy Jacobi Jacobian Japan Japanese Java Jensen Julia
    Jupyter Kalman Kepler Kolmogorov Korea Korean Krylov Kubernetes Kullback Lagrange Lagrangian Laplace
    Laplacian Latin Lebesgue Legendre Leibler Leibniz Levenshtein Linux Lipschitz Llama Lorentz Lyapunov
    Markov Markovian Maxwell Megatron Microsoft Minkowski Mistral Mixtral Monte Nash Nesterov Newton
    Newtonian Nvidia Occam Oxford Pareto Pascal Pearson Perl Petri Planck Poincaré Poisson Postgres Prolog
    Python Qwen Ricci Riemann Riemannian Rubin Runge Russian Rust Samsung Scala Schrödinger Shannon Shapley
    Slurm Sobolev Spain Spanish Spearman Stanford Stirling Swiss Tesla Trainium Triton Turing Twitter Ubuntu
    Unix Verilog Volta Voronoi Vulkan Wasserstein Wiener Wikipedia Xeon Zipf
    """.split()
)
